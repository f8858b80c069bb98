import type { LimitName } from '#sandbox'

const archives = 'test/marketplace/hostile-archives.test.ts'
const messages = 'test/sandbox/messages.test.ts'
const credits = 'test/sandbox/credits.test.ts'
const forms = 'test/core-plugins/plugins/attachments.test.ts'
const receiver = 'test/sandbox/forms.test.ts'
const jobs = 'test/core-plugins/plugin-jobs/jobs.test.ts'
const streams = 'test/core-plugins/plugins/streams.test.ts'
const refusals = 'test/sandbox/manifest-refusals.ts'

/** Limits that no guest can reach: the test that does, and words that stand in it. */
export const elsewhere: Partial<Record<LimitName, readonly [file: string, words: string]>> = {
  scheduleWallMs: ['test/core-plugins/plugin-schedules/schedules.test.ts', 'plugin_schedule_wall_ms: 300'],
  selfTestWallMs: [
    'test/sandbox/check-load.test.ts',
    "notesSource.replace(`() => 'fine'`, '() => new Promise(() => {})')",
  ],
  callMessageBytes: [credits, 'callAnswerBytes, callMessageBytes'],
  pluginMessageBytes: [credits, 'pluginAnswerBytes, pluginMessageBytes'],
  laneMessageBytes: [credits, 'laneAnswerBytes, laneMessageBytes'],
  answerBytes: [messages, "'answer_too_large', 'answer_bytes'"],
  callAnswerBytes: [credits, 'callAnswerBytes, callMessageBytes'],
  pluginAnswerBytes: [credits, 'pluginAnswerBytes, pluginMessageBytes'],
  laneAnswerBytes: [credits, 'laneAnswerBytes, laneMessageBytes'],
  callHeldBytes: [messages, 'sandboxLimits.callHeldBytes'],
  pluginHeldBytes: [messages, 'sandboxLimits.pluginHeldBytes'],
  mailsPerDay: ['test/sandbox/mail.test.ts', 'mailsPerDay: 1'],
  attachmentQuotaMb: [forms, 'plugin_attachment_quota_mb: megabytes'],
  uploadMb: [receiver, 'more than all files of a form may have'],
  uploadFiles: [refusals, 'eleven files in a form'],
  streamBytes: [streams, 'stream_too_large'],
  streamMessageBytes: [streams, 'message_too_large'],
  schedules: [refusals, "'eleven schedules'"],
  jobs: [refusals, "'twenty-one jobs'"],
  jobBytes: [jobs, "'plugin.acme.worker.job_too_large'"],
  jobsPerMinute: [jobs, "'plugin.acme.worker.job_rate'"],
  jobsWaiting: [jobs, 'wait in a number that is bounded'],
  jobStepMs: [jobs, 'wall_ms of one step'],
  jobMinutes: [jobs, 'longer than 1 minutes together'],
  jobDayCpuMs: [jobs, 'plugin_job_day_cpu_ms'],
  zipBytes: [archives, "'more than 20 MB of zip'"],
  unpackedBytes: [archives, "'more than 50 MB in all'"],
  files: [archives, "'more than 2,000 files'"],
  fileBytes: [archives, "'a file larger than 20 MB'"],
  entryBytes: [archives, "'an entry larger than 2 MB'"],
  ratio: [archives, "'a bomb that says its size'"],
  nameBytes: [archives, "'a name longer than 200 bytes'"],
  pathDepth: [archives, "'a path 11 folders deep'"],
  manifestBytes: [refusals, "'more than 256 KB'"],
  manifestDepth: [refusals, "'nesting deeper than 12'"],
  manifestValues: [refusals, "'more than 10,000 values'"],
  iconPixels: ['test/marketplace/icon-size.test.ts', "'too wide'"],
}
