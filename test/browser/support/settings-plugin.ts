/** A plugin with a setting of each type. */
export const settingsPlugin = 'acme.settings'

const item = (label: string, type: string, more: object = {}) => {
  return { key: label.toLowerCase(), type, scope: 'tenant', label: { default: label }, ...more }
}
const options = ['red', 'green', 'blue']
/** What it declares. */
export const manifest = {
  ...{ title: { default: 'Settings of all kinds' }, capabilities: ['config'], reasons: { config: 'Is set.' } },
  config: [
    item('Line', 'STRING', { default: 'a', rules: { max_length: 5, pattern: '^[a-z]*$' } }),
    item('Words', 'TEXT', { rules: { min_length: 2 } }),
    item('Amount', 'NUMBER', { default: 3, rules: { min_value: 1, max_value: 9 } }),
    item('Switch', 'BOOLEAN', { default: false }),
    item('One', 'SELECT', { options, default: 'red' }),
    item('Many', 'MULTI_SELECT', { options, default: [] }),
    item('Shape', 'JSON'),
    item('Page', 'HTML'),
    item('Secret', 'PASSWORD'),
    item('Tone', 'COLOR'),
    item('Picture', 'IMAGE'),
    item('Paper', 'FILE'),
    item('Marks', 'TAG', { default: [] }),
  ],
  tenant_routes: [{ method: 'GET', path: '/secret', handler: 'secret' }],
}
/** Its code: it tells its secret, which no form ever shows. */
export const definition = `{ handlers: { secret: async (request, ctx) => ({ secret: await ctx.config.get('secret') }) } }`
