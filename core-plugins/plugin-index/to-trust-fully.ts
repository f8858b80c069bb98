/**
 * What an administrator holds beside `marketplace:sources` to call a source or a key official: such code runs with the
 * just-in-time compiler, which is more than a capability that is consented to.
 */
export const toTrustFully = 'platform_plugin:consent'
