import type { Localised } from '#kernel'
import type { ConfigCheck, ConfigObjection, ConfigReader } from '../../config/contract.ts'
import type { Retention } from '../prune.ts'
import type { BucketAccess } from '../target/target-volume.ts'
import type { Jobs, JobTimes } from '../../jobs/contract.ts'
import { texts } from '../texts/texts.ts'

/** What administrators chose about backups. */
export interface BackupSettings {
  readonly isEnabled: boolean
  readonly target: string
  readonly times: JobTimes
  readonly passphrase: string | undefined
  readonly retention: Retention
  readonly allFiles: boolean
  readonly access: BucketAccess
}

/** Reads what holds now. */
export async function readSettings(config: ConfigReader): Promise<BackupSettings> {
  const text = (key: string): Promise<string> => config.get<string>(`backup_${key}`, 0, '')
  const passphrase = await text('passphrase')
  return {
    isEnabled: await config.get<boolean>('backup_enabled'),
    target: await text('target'),
    times: { cron: await text('cron'), timezone: await text('timezone') },
    passphrase: passphrase === '' ? undefined : passphrase,
    retention: {
      days: await config.get<number>('backup_keep_days'),
      weeks: await config.get<number>('backup_keep_weeks'),
    },
    allFiles: await config.get<boolean>('backup_all_files'),
    access: {
      endpoint: await text('s3_endpoint'),
      region: await text('s3_region'),
      accessKeyId: await text('s3_key_id'),
      secretAccessKey: await text('s3_secret'),
    },
  }
}

/** Holds what no single value shows: the schedule, and that one that is on has somewhere to go. */
export function checkSettings(jobs: Pick<Jobs, 'everComes'>): ConfigCheck {
  return { groups: ['platform_backup'], check: ({ values }) => objectionsTo(values, jobs) }
}

function objectionsTo(
  values: Parameters<ConfigCheck['check']>[0]['values'],
  jobs: Pick<Jobs, 'everComes'>,
): readonly ConfigObjection[] {
  const { backup_enabled: isEnabled, backup_target: target, backup_cron: cron, backup_timezone: timezone } = values
  const objections: ConfigObjection[] = []
  if (!jobs.everComes({ cron: String(cron), timezone: String(timezone) })) {
    objections.push({ key: 'backup_cron', rule: 'cron', message: noPlan })
  }
  if (isEnabled === true && target === '') {
    objections.push({ key: 'backup_target', rule: 'required', message: noPlace })
  }
  const secret = values['backup_passphrase']
  if (typeof secret === 'string' && secret !== '' && secret.length < 12) {
    objections.push({ key: 'backup_passphrase', rule: 'min_length', message: tooShort })
  }
  return objections
}

const noPlan: Localised = texts.of('settings.no_plan')
const noPlace: Localised = texts.of('settings.no_place')
const tooShort: Localised = texts.of('settings.too_short')
