import type { Fence } from '../mutation.ts'

const ai = 'test/core-plugins/plugin-offers/ai.test.ts'
const volume = 'test/core-plugins/plugin-offers/volume.test.ts'

/** What plugins bring is there for whom it was granted, and is shown no secret. */
export const pluginOffers: Fence = {
  name: 'plugin-offers',
  mutations: [
    {
      name: 'offers-what-was-refused',
      file: 'core-plugins/plugin-offers/offers.ts',
      before: '      !grants.deniedFor(tenantId).has(capability)\n    )',
      after: '      true\n    )',
      tests: [ai],
      why: 'A plugin does in a tenant what the tenant refused.',
    },
    {
      name: 'offers-tool-without-permission',
      file: 'core-plugins/plugin-offers/tools/call-tool.ts',
      before: 'permission !== undefined && !user?.can(permission)',
      after: 'permission !== undefined && !user',
      tests: [ai],
      why: 'An agent does for a user what the user may not.',
    },
    {
      name: 'offers-secret-to-the-plugin',
      file: 'core-plugins/plugin-offers/providers/provider-secrets.ts',
      before: 'return { ...config, ...Object.fromEntries(hidden) }',
      after: 'return { ...Object.fromEntries(hidden), ...config }',
      tests: [ai],
      why: 'A plugin is given the key of a provider.',
    },
    {
      name: 'offers-password-unnamed',
      file: 'core-plugins/plugin-offers/providers/provider-secrets.ts',
      before: "new Set([...secrets, ...config.flatMap(({ key, type }) => (type === 'PASSWORD' ? key : []))])",
      after: 'new Set([...secrets])',
      tests: [ai],
      why: 'A password that a manifest does not name as a secret goes to the plugin.',
    },
    {
      name: 'offers-secret-in-a-header',
      file: 'core-plugins/plugin-offers/providers/provider-mappings.ts',
      before: '[name, this.#mask(known, use, value)]',
      after: '[name, value]',
      tests: [ai],
      why: 'A provider that echoes the key in a header tells it to the plugin.',
    },
    {
      name: 'offers-secret-among-models',
      file: 'core-plugins/plugin-offers/providers/provider-mappings.ts',
      before: "'models', { body: this.#mask(known, use, body) }",
      after: "'models', { body }",
      tests: [ai],
      why: 'A provider that echoes the key in its list of models tells it to the plugin.',
    },
    {
      name: 'offers-storage-withheld',
      file: 'core-plugins/plugin-offers/storage/plugin-volume.ts',
      before: "    if (grants.deniedFor(0).has('storage:driver')) throw new StorageWithheldError({ driver: name })\n",
      after: '',
      tests: [volume],
      why: 'A plugin goes on to get files after the right to it was taken back.',
    },
    {
      name: 'offers-other-bytes',
      file: 'core-plugins/plugin-offers/storage/plugin-volume.ts',
      before:
        "      if (bytes.length !== length) throw new PluginResponseInvalidError({ cause: 'get answers as many bytes as asked' })\n",
      after: '',
      tests: [volume],
      why: 'A plugin answers with another file’s bytes.',
    },
    {
      name: 'offers-captcha-refusal-is-a-pass',
      file: 'core-plugins/plugin-offers/captcha/captcha-contributor.ts',
      before: 'return { valid: false }',
      after: 'return { valid: true }',
      tests: ['test/core-plugins/plugin-offers/captcha.test.ts'],
      why: 'Nonsense passes for an answer to a captcha.',
    },
  ],
}
