import type { ConfigGroupDeclaration, ConfigItemDeclaration, Localised } from '#kernel'
import { texts } from '../texts/texts.ts'

const text = (key: string, name: Localised, rest: Partial<ConfigItemDeclaration> = {}) =>
  ({ key, type: 'STRING', name, default: '', ...rest }) as const
const number = (key: string, name: Localised, start: number, min: number, max: number) =>
  ({
    key,
    type: 'NUMBER',
    name,
    default: start,
    required: true,
    rules: { min, max },
  }) as const
const flag = (key: string, name: Localised) => ({ key, type: 'BOOLEAN', name, default: false }) as const

/** When backups are made, where they go, and how long they stay. */
export const groups: readonly ConfigGroupDeclaration[] = [
  {
    code: 'platform_backup',
    name: texts.of('platform_backup'),
    icon: 'archive',
    sort: 95,
    scope: 'ADMIN_ONLY',
    items: [
      flag('backup_enabled', texts.of('backup_enabled')),
      text('backup_target', texts.of('backup_target'), {
        description: texts.of('backup_target.description'),
        rules: { pattern: '^(/[^\\s].{0,400}|s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._/-]{0,200})?)$' },
      }),
      text('backup_cron', texts.of('backup_cron'), {
        description: texts.of('backup_cron.description'),
        default: '30 3 * * *',
        required: true,
      }),
      text('backup_timezone', texts.of('backup_timezone'), {
        default: 'UTC',
        required: true,
        rules: { format: 'time-zone' },
      }),
      text('backup_passphrase', texts.of('backup_passphrase'), {
        type: 'PASSWORD',
        description: texts.of('backup_passphrase.description'),
      }),
      number('backup_keep_days', texts.of('backup_keep_days'), 7, 1, 366),
      number('backup_keep_weeks', texts.of('backup_keep_weeks'), 4, 0, 520),
      flag('backup_all_files', texts.of('backup_all_files')),
      text('backup_s3_endpoint', texts.of('backup_s3_endpoint'), {
        rules: { pattern: '^https?://[^\\s/?#@]+/?$' },
      }),
      text('backup_s3_region', texts.of('backup_s3_region'), { rules: { pattern: '^[a-z0-9-]{1,63}$' } }),
      text('backup_s3_key_id', texts.of('backup_s3_key_id')),
      text('backup_s3_secret', texts.of('backup_s3_secret'), {
        type: 'PASSWORD',
        boundTo: ['backup_s3_endpoint', 'backup_target'],
      }),
    ],
  },
]
