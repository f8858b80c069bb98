import type { ConfigGroupDeclaration, ConfigItemDeclaration } from '#kernel'

const text = (key: string, english: string, chinese: string, rest: Partial<ConfigItemDeclaration> = {}) =>
  ({ key, type: 'STRING', name: { default: english, 'zh-CN': chinese }, default: '', ...rest }) as const
const number = (key: string, english: string, chinese: string, start: number, min: number, max: number) =>
  ({
    key,
    type: 'NUMBER',
    name: { default: english, 'zh-CN': chinese },
    default: start,
    required: true,
    rules: { min, max },
  }) as const
const flag = (key: string, english: string, chinese: string) =>
  ({ key, type: 'BOOLEAN', name: { default: english, 'zh-CN': chinese }, default: false }) as const

/** When backups are made, where they go, and how long they stay. */
export const groups: readonly ConfigGroupDeclaration[] = [
  {
    code: 'platform_backup',
    name: { default: 'Backups', 'zh-CN': '备份' },
    icon: 'archive',
    sort: 95,
    scope: 'ADMIN_ONLY',
    items: [
      flag('backup_enabled', 'Make backups by the schedule', '按计划备份'),
      text('backup_target', 'Place', '保存位置', {
        description: {
          default: 'An absolute path that every host sees, or s3://bucket/prefix',
          'zh-CN': '所有主机可见的绝对路径，或 s3://bucket/prefix',
        },
        rules: { pattern: '^(/[^\\s].{0,400}|s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._/-]{0,200})?)$' },
      }),
      text('backup_cron', 'Schedule', '计划', {
        description: { default: 'Five fields of cron', 'zh-CN': 'cron 表达式，五个字段' },
        default: '30 3 * * *',
        required: true,
      }),
      text('backup_timezone', 'Time zone of the schedule', '计划的时区', {
        default: 'UTC',
        required: true,
        rules: { format: 'time-zone' },
      }),
      text('backup_passphrase', 'Passphrase', '口令', {
        type: 'PASSWORD',
        description: {
          default:
            'With it backups are encrypted, and have the secrets. Keep it elsewhere too: without it nothing is restored',
          'zh-CN': '设置后备份将加密并包含密钥。请另行保存口令：没有口令无法恢复',
        },
      }),
      number('backup_keep_days', 'Daily backups that stay', '保留的每日备份数', 7, 1, 366),
      number('backup_keep_weeks', 'Weekly backups that stay', '保留的每周备份数', 4, 0, 520),
      flag('backup_all_files', 'Also copy files that lie in buckets', '同时备份存储桶中的文件'),
      text('backup_s3_endpoint', 'Address of the bucket’s service', '存储桶服务地址', {
        rules: { pattern: '^https?://[^\\s/?#@]+/?$' },
      }),
      text('backup_s3_region', 'Region of the bucket', '存储桶区域', { rules: { pattern: '^[a-z0-9-]{1,63}$' } }),
      text('backup_s3_key_id', 'Access key id of the bucket', '存储桶访问密钥 ID'),
      text('backup_s3_secret', 'Secret access key of the bucket', '存储桶访问密钥', {
        type: 'PASSWORD',
        boundTo: ['backup_s3_endpoint', 'backup_target'],
      }),
    ],
  },
]
