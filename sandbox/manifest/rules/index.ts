import { capabilities } from './capabilities.ts'
import { config } from './config.ts'
import { consoleParts, languages } from './console.ts'
import { events } from './events.ts'
import { hosts } from './hosts.ts'
import { engines, identity } from './identity.ts'
import { links } from './links.ts'
import { preferences } from './preferences.ts'
import { provides } from './provides.ts'
import { mail } from './mail.ts'
import { permissions, routes, scope } from './routes.ts'
import type { Rule } from './rule.ts'
import { jobs, schedules } from './schedules.ts'
import { services } from './services.ts'
import { texts } from './texts.ts'

/** Every rule of a manifest beyond its schema. */
export const rules: readonly Rule[] = [
  ...[identity, engines, capabilities, hosts, events, config, permissions, routes, scope],
  ...[consoleParts, languages, schedules, jobs, mail, provides, services, preferences, links, texts],
]
