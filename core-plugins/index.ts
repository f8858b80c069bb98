import type { Plugin } from '#kernel'
import agents from './agents/index.ts'
import ai from './ai/index.ts'
import access from './access/index.ts'
import aiLedger from './ai-ledger/index.ts'
import attachments from './attachments/index.ts'
import auth from './auth/index.ts'
import backup from './backup/index.ts'
import captcha from './captcha/index.ts'
import chat from './chat/index.ts'
import config from './config/index.ts'
import consolePlugin from './console/index.ts'
import firstRun from './first-run/index.ts'
import jobs from './jobs/index.ts'
import knowledge from './knowledge/index.ts'
import mail from './mail/index.ts'
import mcp from './mcp/index.ts'
import memory from './memory/index.ts'
import notifications from './notifications/index.ts'
import pluginEvents from './plugin-events/index.ts'
import pluginIndex from './plugin-index/index.ts'
import pluginJobs from './plugin-jobs/index.ts'
import pluginLicences from './plugin-licences/index.ts'
import pluginOffers from './plugin-offers/index.ts'
import pluginSchedules from './plugin-schedules/index.ts'
import pluginUsage from './plugin-usage/index.ts'
import plugins from './plugins/index.ts'
import preferences from './preferences/index.ts'
import realtime from './realtime/index.ts'
import retention from './retention/index.ts'
import storage from './storage/index.ts'
import system from './system/index.ts'
import tenants from './tenants/index.ts'
import users from './users/index.ts'
import webhooks from './webhooks/index.ts'

/** Every feature area; the kernel puts them in the order of their needs. */
export const corePlugins: readonly Plugin[] = [
  system,
  config,
  access,
  mail,
  users,
  tenants,
  captcha,
  auth,
  storage,
  attachments,
  notifications,
  realtime,
  webhooks,
  plugins,
  // Before those whose last calls it counts when a host stops.
  pluginUsage,
  pluginIndex,
  pluginLicences,
  pluginOffers,
  pluginEvents,
  pluginJobs,
  pluginSchedules,
  // Before the first run, of which it hears.
  agents,
  knowledge,
  firstRun,
  preferences,
  retention,
  jobs,
  backup,
  aiLedger,
  ai,
  chat,
  mcp,
  memory,
  consolePlugin,
]
