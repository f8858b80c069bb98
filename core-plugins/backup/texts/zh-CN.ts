import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  platform_backup: '备份',
  backup_enabled: '按计划备份',
  backup_target: '保存位置',
  'backup_target.description': '所有主机可见的绝对路径，或 s3://bucket/prefix',
  backup_cron: '计划',
  'backup_cron.description': 'cron 表达式，五个字段',
  backup_timezone: '计划的时区',
  backup_passphrase: '口令',
  'backup_passphrase.description': '设置后备份将加密并包含密钥。请另行保存口令：没有口令无法恢复',
  backup_keep_days: '保留的每日备份数',
  backup_keep_weeks: '保留的每周备份数',
  backup_all_files: '同时备份存储桶中的文件',
  backup_s3_endpoint: '存储桶服务地址',
  backup_s3_region: '存储桶区域',
  backup_s3_key_id: '存储桶访问密钥 ID',
  backup_s3_secret: '存储桶访问密钥',
  'plugin.title': '备份',
  'plugin.description': '按计划或命令备份整个平台',
  'settings.no_plan': 'cron 表达式与时区无法构成有效的计划',
  'settings.no_place': '按计划备份需要设置保存位置',
  'settings.too_short': '口令至少需要 12 个字符',
  'notice.backup_failed': '备份失败',
  'notice.backups_not_deleted': '无法删除旧备份',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  backup_running: '平台备份正在进行中',
  backup_no_target: '尚未设置备份的保存位置',
}
