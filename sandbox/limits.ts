/** One limit of a plugin: what it gets unless it asks, and the most that an administrator may give it. */
interface Limit {
  readonly default: number
  readonly max: number
}

const fixed = (value: number): Limit => ({ default: value, max: value })
const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** Every limit of a plugin; names end in their unit, counts have none. */
export const sandboxLimits = {
  /** Below 128 isolated-vm gives up on healthy isolates. */
  memoryMb: { default: 128, max: 256 },
  /** Above what a sandbox host holds at its start. */
  laneMemoryMb: { default: 300, max: 512 },
  cpuMs: { default: 1_000, max: 5_000 },
  jobCpuMs: { default: 10_000, max: 60_000 },
  wallMs: { default: 10_000, max: 25_000 },
  scheduleWallMs: { default: 60_000, max: 900_000 },
  hookWallMs: fixed(30_000),
  uninstallHookWallMs: fixed(10_000),
  selfTestWallMs: fixed(2_000),
  concurrency: { default: 8, max: 8 },
  tenantConcurrency: { default: 4, max: 8 },
  queue: fixed(32),
  requestBytes: fixed(megabyte),
  responseBytes: fixed(megabyte),
  hostCalls: fixed(200),
  hostCallsInFlight: fixed(16),
  /** Large messages from guests to the platform that are under way at once: host calls and results. */
  callMessageBytes: fixed(megabyte),
  pluginMessageBytes: fixed(2 * megabyte),
  laneMessageBytes: fixed(4 * megabyte),
  /** What a host call may be answered with, and such answers and inputs that are under way at once; a larger one travels alone. */
  answerBytes: fixed(8 * megabyte),
  callAnswerBytes: fixed(2 * megabyte),
  pluginAnswerBytes: fixed(3 * megabyte),
  laneAnswerBytes: fixed(4 * megabyte),
  /** What the platform holds of answers until they leave: room for them is taken before they are read. */
  callHeldBytes: fixed(4 * megabyte),
  pluginHeldBytes: fixed(8 * megabyte),
  logLines: fixed(100),
  logLineBytes: fixed(4 * kilobyte),
  logCallBytes: fixed(64 * kilobyte),
  logDayBytes: fixed(10 * megabyte),
  httpTimeoutMs: { default: 10_000, max: 30_000 },
  httpConnectMs: fixed(3_000),
  httpResponseBytes: fixed(5 * megabyte),
  httpDecodeRatio: fixed(20),
  httpCalls: fixed(20),
  httpPerMinute: fixed(60),
  httpRequestHeaderBytes: fixed(8 * kilobyte),
  httpResponseHeaderBytes: fixed(32 * kilobyte),
  storageQuotaMb: { default: 200, max: 5_120 },
  storageObjectMb: { default: 20, max: 20 },
  storageObjects: fixed(10_000),
  storageKeyBytes: fixed(512),
  /** Of all files that a plugin made in a tenant, and of one request that uploads. */
  attachmentQuotaMb: { default: 200, max: 5_120 },
  uploadMb: fixed(20),
  uploadFiles: fixed(10),
  /** Of an answer that is streamed, and of one message in it. */
  streamBytes: fixed(megabyte),
  streamMessageBytes: fixed(64 * kilobyte),
  statementMs: fixed(5_000),
  transactionMs: fixed(5_000),
  transactionStatements: fixed(100),
  rows: fixed(1_000),
  resultBytes: fixed(megabyte),
  connections: fixed(2),
  /** Of each table and of all of them, the tenants together; both by the server's estimates. */
  tableRows: fixed(1_000_000),
  tablesMb: fixed(1_024),
  eventsPerMinute: fixed(100),
  eventBytes: fixed(32 * kilobyte),
  /** Of what is told to one user alone. */
  toldPerMinute: fixed(300),
  toldBytes: fixed(8 * kilobyte),
  eventHops: fixed(8),
  /** E-mails of a plugin to the users of a tenant in a day. */
  mailsPerDay: { default: 500, max: 10_000 },
  schedules: fixed(10),
  jobs: fixed(20),
  jobBytes: fixed(64 * kilobyte),
  jobsPerMinute: fixed(100),
  jobsWaiting: fixed(1_000),
  jobStepMs: fixed(60_000),
  /** From the beginning of its first step. */
  jobMinutes: fixed(60),
  /** CPU time of all jobs of a plugin for a tenant in a day, in UTC. */
  jobDayCpuMs: { default: 600_000, max: 3_600_000 },
  zipBytes: fixed(20 * megabyte),
  unpackedBytes: fixed(50 * megabyte),
  files: fixed(2_000),
  fileBytes: fixed(20 * megabyte),
  entryBytes: fixed(2 * megabyte),
  ratio: fixed(100),
  nameBytes: fixed(200),
  pathDepth: fixed(10),
  manifestBytes: fixed(256 * kilobyte),
  manifestDepth: fixed(12),
  manifestValues: fixed(10_000),
  iconBytes: fixed(megabyte),
  iconPixels: fixed(1_024),
  readmeBytes: fixed(256 * kilobyte),
  localeBytes: fixed(256 * kilobyte),
  migrations: fixed(100),
  migrationBytes: fixed(256 * kilobyte),
  migrationMs: fixed(60_000),
  /** What the migrations of a release may add to the tables, beyond four times what those had. */
  migrationMb: fixed(256),
} as const satisfies Readonly<Record<string, Limit>>

/** The name of a limit. */
export type LimitName = keyof typeof sandboxLimits
