import { tenantsDeleted, type Scope } from '#kernel'
import { usersDeleted } from '../users/contract.ts'
import { createCompactJob, enqueueCompaction } from './compaction/compact-job.ts'
import { HistoryFitter } from './compaction/fit.ts'
import { compactionRoutes } from './compaction/routes.ts'
import { Compaction } from './compaction/service.ts'
import { UserCompactions } from './compaction/user-compactions.ts'
import { conversationRoutes } from './conversations/routes.ts'
import { ConversationService } from './conversations/service.ts'
import { cancelChannel, ChatService } from './door/chat-service.ts'
import { chatRoutes } from './door/routes.ts'
import { ChatAgentModels } from './as-model/agent-models.ts'
import { createAsker } from './unstored/asker.ts'
import { tryRoutes } from './unstored/routes.ts'
import { UnstoredRuns } from './unstored/unstored-runs.ts'
import { eraseTenant, forgetUser } from './erasure.ts'
import { agentAsker, chatContributors, chatConversations } from './contract.ts'
import { ContributorTable } from './contributions/contributor-table.ts'
import type { ChatNeeds } from './needs.ts'
import { MessageFiles } from './files/message-files.ts'
import { OwnFiles } from './files/own-files.ts'
import { WholeResults } from './files/whole-results.ts'
import { ChatNews } from './news.ts'
import { Journal } from './runs/journal.ts'
import { RunKeeper } from './runs/run-keeper.ts'
import { Runner } from './runs/runner.ts'
import { Tails } from './runs/tail.ts'
import { Titles } from './runs/titles.ts'
import { AgentRouter } from './routing/agent-router.ts'
import { routingRoutes } from './routing/routes.ts'
import { timelineRoutes } from './timeline/routes.ts'
import { shareRoutes } from './shares/routes.ts'
import { ShareService } from './shares/service.ts'

const beatMs = 1_000
const sweepMs = 5_000
const pruneMs = 60_000

/** Opens chats: runs that answer, what is kept of them, and one's conversations. */
export function setupChat(
  scope: Scope,
  { agents, gateway, config, jobs, tools, ledger, spending, tenants, access, surfaces, files }: ChatNeeds,
): void {
  const { db, bus, log } = scope
  const journal = scope.use(new Journal(db, bus, log))
  const contributors = scope.use(new ContributorTable(log))
  scope.provide(chatContributors, contributors)
  const news = new ChatNews(scope)
  const titles = scope.use(new Titles({ db, gateway, log, news }))
  const compaction = new Compaction({ db, log, gateway, config })
  const fitter = new HistoryFitter({ db, log, config, compaction })
  const ownFiles = new OwnFiles(files)
  const results = new WholeResults(files, log)
  const messageFiles = new MessageFiles({ files: ownFiles, contributors })
  const currency = () => config.get<string>('ai_currency')
  const runner = scope.use(
    new Runner({
      ...{
        db,
        bus,
        log,
        news,
        journal,
        gateway,
        tools,
        ledger,
        agents,
        contributors,
        fitHistory: fitter.fit,
        files: ownFiles,
        results,
        holds: files,
      },
      currency,
      answered(run, turn, { finish, text }) {
        titles.begin(run, turn.agent)
        const budget = fitter.roomOfFull(turn)
        if (budget !== undefined)
          enqueueCompaction({ db, jobs, log }, run, { model: turn.agent.definition.model, budget })
        const { stored } = turn
        if (stored && finish !== 'awaiting_confirmation') contributors.answered({ ...turn, stored, answer: text })
      },
    }),
  )
  const tails = scope.use(new Tails(db, bus, (runId) => runner.find(runId)))
  const chat = new ChatService({ db, bus, agents, gateway, runner, tails, messageFiles })
  const find: ConversationService['find'] = (user, id) => conversations.find(user, id)
  const compactions = new UserCompactions({ db, agents, gateway, compaction, find })
  const conversations: ConversationService = new ConversationService({
    ...{ db, agents, gateway, contributors, news, compactionOf: (row) => compactions.briefOf(row) },
    cancel: (run) => chat.stop(run),
    async makeTitle(conversation, user, traceId) {
      const { definition } = await agents.get(user, conversation.agentId)
      return titles.make(conversation, definition.model, traceId)
    },
  })
  scope.provide(chatConversations, conversations)
  scope.use(bus.subscribe(cancelChannel, (word) => runner.stop((word as { run: string }).run, 'cancelled')))
  const keeper = new RunKeeper({ db, runner, news, holds: files, spending, currency })
  scope.every(beatMs, () => keeper.beat())
  scope.every(sweepMs, () => keeper.sweep())
  scope.every(pruneMs, () => keeper.prune())
  const unstored = scope.use(
    new UnstoredRuns({
      gateway,
      tools,
      ledger,
      contributors,
      files: ownFiles,
      results,
      currency: () => config.get<string>('ai_currency'),
    }),
  )
  scope.provide(agentAsker, createAsker(unstored, agents, access))
  scope.register(() => surfaces.registerAgents(new ChatAgentModels({ access, agents, tenants, chat, unstored })))
  scope.route(...tryRoutes({ agents, gateway, tenants, runs: unstored }))
  const router = new AgentRouter({
    agents,
    gateway,
    config,
    conversations,
    termsOf: (text) => contributors.termsOf(text),
  })
  scope.route(...routingRoutes({ router, chat, messageFiles }), ...timelineRoutes(conversations, db))
  const shares = new ShareService({ db, agents, tenants, gateway, find: (user, id) => conversations.find(user, id) })
  scope.route(...chatRoutes(chat), ...conversationRoutes(conversations), ...shareRoutes(shares))
  scope.use(jobs.register(createCompactJob(db, compaction)))
  scope.route(...compactionRoutes(compactions))
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenant(db, tenantId))
  scope.on(usersDeleted, ({ tenantId, userId }) => forgetUser(db, tenantId, userId))
}
