import {
  absentRoutes,
  apiDocument,
  authenticator,
  databaseConnection,
  errorForms,
  originPolicy,
  permissionRegistry,
  pluginHost,
  processMetrics,
  tenantResolver,
  textTeller,
  trustedProxies,
  type ServiceRef,
} from '#kernel'
import { access, audit } from './access/contract.ts'
import { agentDirectory, agentToolSources } from './agents/contract.ts'
import { aiGateway, aiModelUsers, aiSurfaces } from './ai/contract.ts'
import { attachmentFiles } from './attachments/contract.ts'
import { aiKeys, aiLedger, aiSpending } from './ai-ledger/contract.ts'
import { adminReset, callerChanges, sessions, setup, wsTickets } from './auth/contract.ts'
import { captchaGate, captchaProviders } from './captcha/contract.ts'
import { agentAsker, chatContributors, chatConversations } from './chat/contract.ts'
import { configComputedValues, configOptions, configSecretMembers } from './config/contract-extensions.ts'
import { configFiles } from './config/contract-files.ts'
import { configPublicMembers } from './config/contract-public.ts'
import { configReader, configWriter, tenantConfigWorkflow } from './config/contract.ts'
import { consoleBuild } from './console/contract.ts'
import { announcement } from './first-run/contract.ts'
import { jobs } from './jobs/contract.ts'
import { knowledgeLibrary, knowledgeRetrieval } from './knowledge/contract.ts'
import { deliveryChanges, messageSender } from './mail/contract.ts'
import { notifier, pluginMailer } from './notifications/contract.ts'
import { pluginGuardrails, pluginProviders, pluginRouters, pluginTools } from './plugin-offers/contract.ts'
import { aiInvokers } from './plugins/contract-invokers.ts'
import { pluginLicences } from './plugins/contract-licences.ts'
import { pluginOperations } from './plugins/contract-operations.ts'
import { packageIndexes, packageIntake } from './plugins/contract-packages.ts'
import { pluginDirectory, pluginRowKeepers, pluginRuntime } from './plugins/contract-running.ts'
import { preferenceCatalogue, preferences } from './preferences/contract.ts'
import { wireFeed } from './realtime/contract.ts'
import { storageDrivers } from './storage/contract-drivers.ts'
import { objectStorage, storageVolumes } from './storage/contract.ts'
import { healthDetails } from './system/contract.ts'
import { demoSeed, tenantDirectory } from './tenants/contract.ts'
import { profilePictures } from './users/contract-pictures.ts'
import { registrations, secondFactors, userDirectory } from './users/contract.ts'

/** A service and what it is for. */
interface ListedService {
  readonly ref: ServiceRef<unknown>
  /** What whoever needs it gets. Its verbs stand beside the ref. */
  readonly does: string
}

/** Every service there is, for whoever looks for one. Put it into `needs` of a manifest, and `setup` is handed it. */
export const services: readonly ListedService[] = [
  // What the kernel provides, or asks for.
  { ref: authenticator, does: 'Tells the kernel who calls, from a credential.' },
  { ref: tenantResolver, does: 'Tells the kernel for which tenant, by id, code or host name.' },
  { ref: originPolicy, does: 'Tells the kernel which web origins may call.' },
  { ref: trustedProxies, does: 'Tells the kernel which peers may say on whose behalf they call.' },
  { ref: errorForms, does: 'Tells errors in the words of another interface, below paths of its own.' },
  { ref: absentRoutes, does: 'Answers for routes of plugins that this host cannot run at the moment.' },
  { ref: permissionRegistry, does: 'Lists the permissions of every enabled plugin.' },
  { ref: apiDocument, does: 'Makes the OpenAPI description of the routes there are.' },
  { ref: pluginHost, does: 'Enables, replaces and disables plugins on this host.' },
  { ref: databaseConnection, does: 'Says how to reach the database, for connections of your own.' },
  { ref: textTeller, does: 'Tells errors and kept texts in the language of who reads them.' },
  { ref: processMetrics, does: 'Collects figures of this process for whoever prints them.' },

  // People, tenants and rights.
  { ref: tenantDirectory, does: 'Finds and creates tenants.' },
  { ref: demoSeed, does: 'Creates the demo tenant.' },
  { ref: userDirectory, does: 'Finds and changes users.' },
  { ref: profilePictures, does: 'Takes in who keeps the pictures that users choose for themselves.' },
  { ref: registrations, does: 'Takes in people who register themselves.' },
  { ref: secondFactors, does: 'Sets up and checks second factors of sign-ins.' },
  { ref: sessions, does: 'Begins and ends sessions.' },
  { ref: wsTickets, does: 'Issues tickets that open a connection as whoever asked for them.' },
  { ref: callerChanges, does: 'Tells who keeps callers when they have to be asked for again.' },
  { ref: setup, does: 'Makes the first administrator of the platform.' },
  { ref: adminReset, does: 'Lets an administrator back in who is locked out.' },
  { ref: access, does: 'Says who holds which permissions, and lets others add some.' },
  { ref: audit, does: 'Writes the log of what administrators did.' },
  { ref: captchaGate, does: 'Lets requests pass that need no captcha or bring a good one.' },
  { ref: captchaProviders, does: 'Takes in further captcha providers.' },
  { ref: announcement, does: 'Says at the start what somebody has to do first.' },

  // Settings and preferences.
  { ref: configReader, does: 'Reads the settings that hold for the platform or a tenant.' },
  { ref: configWriter, does: 'Reads and changes groups of settings.' },
  { ref: tenantConfigWorkflow, does: 'Is the one way of every write to the settings of a tenant.' },
  { ref: configOptions, does: 'Takes in options of settings that are known only while the platform runs.' },
  { ref: configSecretMembers, does: 'Takes in which members of JSON settings are secrets.' },
  { ref: configComputedValues, does: 'Takes in read-only settings that follow from something else.' },
  { ref: configFiles, does: 'Takes in who keeps the files that settings name.' },
  { ref: configPublicMembers, does: 'Takes in what the public settings show beside stored values.' },
  { ref: preferences, does: 'Reads what users prefer.' },
  { ref: preferenceCatalogue, does: 'Takes in preferences that users may choose.' },

  // Work, messages and files.
  { ref: jobs, does: 'Does work later, on any host, until it has succeeded.' },
  { ref: messageSender, does: 'Sends mail.' },
  { ref: deliveryChanges, does: 'Remembers who changed how mail is sent.' },
  { ref: notifier, does: 'Sends messages that users find in the console.' },
  { ref: pluginMailer, does: 'Sends e-mails of plugins to users who want them.' },
  { ref: wireFeed, does: 'Tells what clients are told, for those who bring it elsewhere.' },
  { ref: objectStorage, does: 'Keeps objects for plugins and features.' },
  { ref: storageVolumes, does: 'Finds the places where bytes lie.' },
  { ref: attachmentFiles, does: 'Stores and finds files of users and tenants, and keeps those that are needed.' },
  { ref: storageDrivers, does: 'Takes in further storage drivers.' },
  { ref: consoleBuild, does: 'Makes the files of the console where they are not those of its sources.' },
  { ref: healthDetails, does: 'Collects what `GET /admin/health` shows of this host.' },

  // AI.
  { ref: aiKeys, does: 'Tells whose an API key is.' },
  { ref: aiLedger, does: 'Holds quotas for AI calls and keeps the ledger of what they cost.' },
  { ref: aiSpending, does: 'Says how full quotas are, how fast money goes, and what answers took.' },
  { ref: agentDirectory, does: 'Finds agents for those who use them.' },
  { ref: agentToolSources, does: 'Takes tools for agents beside those of plugins.' },
  { ref: knowledgeRetrieval, does: 'Finds what documents of a tenant say, for those who may read them.' },
  { ref: knowledgeLibrary, does: 'Reads whole documents of a tenant, for those who may read them.' },
  { ref: aiGateway, does: 'Calls AI models: on quotas, over routes with failover, with every attempt in the ledger.' },
  { ref: aiModelUsers, does: 'Hears who names models, so that none is deleted that somebody would miss.' },
  { ref: aiSurfaces, does: 'Has agents answer as models where clients of OpenAI and Anthropic speak to.' },
  { ref: agentAsker, does: 'Asks agents for a user or an API key, without storing what they say.' },
  {
    ref: chatContributors,
    does: 'Lets plugins take part in runs: with prompts, tools, sources, and work after answers.',
  },
  { ref: chatConversations, does: 'Finds conversations of users, and notes what happened in them.' },

  // Third-party plugins.
  { ref: pluginDirectory, does: 'Finds the plugins that are installed.' },
  { ref: pluginRuntime, does: 'Reaches the plugins that run on this host.' },
  { ref: pluginOperations, does: 'Stops plugins, as operations under their locks.' },
  {
    ref: packageIndexes,
    does: 'Takes in who knows of packages and publishers, to be asked when plugins are installed, changed and shown.',
  },
  { ref: packageIntake, does: 'Says which packages this site takes in, and where they lie meanwhile.' },
  { ref: pluginLicences, does: 'Takes in who keeps the licences of plugins, and changes what hosts know of them.' },
  { ref: pluginRowKeepers, does: 'Takes in whoever keeps rows of plugins, to be asked when one is removed.' },
  { ref: pluginTools, does: 'Lists and calls the AI tools that plugins bring.' },
  { ref: pluginProviders, does: 'Lists and asks the AI providers that plugins bring.' },
  { ref: pluginGuardrails, does: 'Lists and asks the AI guardrails that plugins bring.' },
  { ref: pluginRouters, does: 'Lists and asks the AI routers that plugins bring.' },
  { ref: aiInvokers, does: 'Takes in who runs AI models, so that plugins may call them.' },
]
