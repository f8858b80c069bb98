// The console's own bridge: a page reaches the routes of its plugin through it, and nothing else.
import { connect } from '/plugin-ui/sdk/1/stoa-ui.js'

const stoa = await connect()
const [form, text, fault, list] = ['form', 'text', 'fault', 'list'].map((id) => document.getElementById(id))

/** Shows the notes as they are now. */
async function show() {
  const { items } = await stoa.get('/notes')
  list.replaceChildren(
    ...items.map((note) => {
      const item = document.createElement('li')
      item.textContent = note.text
      return item
    }),
  )
}

form.hidden = !stoa.can('write')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  fault.hidden = true
  try {
    await stoa.post('/notes', { text: text.value })
    form.reset()
    await show()
  } catch (error) {
    fault.textContent = error.message
    fault.hidden = false
  }
})
await show()
stoa.ready()
