import { packSmall } from '../../../support/small-plugin.ts'

/** The name of a plugin whose guardrail is odd. */
export const oddGuardrail = 'acme.odd'

/** A guardrail for the whole site that blocks a word, throws at another, and answers nonsense at a third. */
const manifest = {
  ...{ scope: 'platform', capabilities: ['ai:guardrail'], reasons: { 'ai:guardrail': 'Tries the platform.' } },
  provides: {
    aiGuardrails: [{ code: 'odd', title: { default: 'Odd' }, handlers: { input: 'input', output: 'output' } }],
  },
}
const source = `{
  aiGuardrails: {
    input: ({ texts }, ctx) => {
      const all = texts.map(({ text }) => text).join(' ')
      if (all.includes('forbidden')) return { verdict: 'block', reason: 'forbidden_word' }
      if (all.includes('throw')) throw new Error('no')
      if (all.includes('nonsense')) return { verdict: 'mask', ranges: [{ index: 0, start: 5, end: 1e6 }] }
      if (all.includes('who')) return { verdict: 'block', reason: 'tenant_' + ctx.tenant.code + (ctx.can('ai:invoke') ? '_ai' : '') }
      return { verdict: 'allow' }
    },
    output: ({ texts: [{ text }] }) => text.includes('secret') ? { verdict: 'block', reason: 'secret' } : { verdict: 'allow' },
  },
}`

/** Packs it. */
export function packOddGuardrail(): Promise<Buffer> {
  return packSmall(oddGuardrail, manifest, source)
}
