import packageJson from '../package.json' with { type: 'json' }

/** The version of this platform: a semantic version. */
export const platformVersion = packageJson.version
