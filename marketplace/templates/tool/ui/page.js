// The console's own bridge: a page reaches the routes of its plugin through it, and nothing else.
import { connect } from '/plugin-ui/sdk/1/stoa-ui.js'

const stoa = await connect()
const [form, currency, fault, rate] = ['form', 'currency', 'fault', 'rate'].map((id) => document.getElementById(id))

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  fault.hidden = true
  rate.textContent = ''
  try {
    const found = await stoa.get(`/rates/${currency.value.toUpperCase()}`)
    rate.textContent = `1 EUR = ${new Intl.NumberFormat(stoa.context.locale).format(found.rate)} ${found.currency}`
  } catch (error) {
    fault.textContent = error.message
    fault.hidden = false
  }
})
stoa.ready()
