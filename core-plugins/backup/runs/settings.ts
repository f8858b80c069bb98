import type { Localised } from '#kernel'
import type { ConfigCheck, ConfigObjection, ConfigReader } from '../../config/contract.ts'
import type { Retention } from '../prune.ts'
import type { BucketAccess } from '../target/target-volume.ts'
import { isPlan, type Plan } from './plan.ts'

/** What administrators chose about backups. */
export interface BackupSettings {
  readonly isEnabled: boolean
  readonly target: string
  readonly plan: Plan
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
    plan: { cron: await text('cron'), timezone: await text('timezone') },
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
export const settingsCheck: ConfigCheck = {
  groups: ['platform_backup'],
  check({ values }) {
    const { backup_enabled: isEnabled, backup_target: target, backup_cron: cron, backup_timezone: timezone } = values
    const objections: ConfigObjection[] = []
    if (!isPlan({ cron: String(cron), timezone: String(timezone) })) {
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
  },
}

const noPlan: Localised = {
  default: 'Cron expression and time zone do not make a schedule that ever comes',
  'zh-CN': 'cron 表达式与时区无法构成有效的计划',
}
const noPlace: Localised = { default: 'A schedule needs a place for backups', 'zh-CN': '按计划备份需要设置保存位置' }
const tooShort: Localised = { default: 'A passphrase has at least 12 characters', 'zh-CN': '口令至少需要 12 个字符' }
