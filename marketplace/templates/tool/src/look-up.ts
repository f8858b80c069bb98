import { PluginError, type AiTool, type Ctx, type Handler } from '@stoa/plugin-sdk'

/** What the model gets: it reads what comes back. */
export const lookUp: AiTool = async (input, ctx) => {
  const { currency } = input as { readonly currency: string }
  return { content: await rateOf(currency, ctx) }
}

/** The same for people, who try on the page what agents are told. */
export const showRate: Handler = ({ params }, ctx) => rateOf(params['currency'] ?? '', ctx)

/** Asks the one host that the manifest lists. */
async function rateOf(currency: string, { http }: Pick<Ctx, 'http'>) {
  const { status, body } = await http.fetch({ url: 'https://rates.example.com/latest', query: { base: 'EUR' } })
  if (status !== 200) throw new PluginError('upstream', `The rates answered ${status}`)
  const rate = (body as { readonly rates?: Readonly<Record<string, number>> }).rates?.[currency]
  if (rate === undefined) throw new PluginError('not_found', `There is no rate for ${currency}`)
  return { currency, rate }
}
