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
  'notice.backup_cancelled': '已取消',
  'notice.backup_database_silent': '数据库停止响应',
  'notice.backup_rows_missing': '{table} 有 {rows} 行，只读到 {came} 行：备份将不完整',
  'notice.backup_no_schema': '数据库角色没有可用的模式',
  'notice.backup_database_unreachable': '无法连接数据库：{why}',
  'notice.backup_tables_change': '数据表一直在被安装或升级修改：请稍后重试',
  'notice.backup_running': '平台备份正在进行中',
  'notice.backup_lock_lost': '防止其他备份同时进行的连接已断开：本次备份已放弃',
  'notice.backup_no_place': '{place} 不能用于保存备份：请填写绝对路径或 s3://bucket/prefix',
  'notice.backup_no_access_key': '存储桶需要访问密钥：AWS_ACCESS_KEY_ID 与 AWS_SECRET_ACCESS_KEY，或计划的设置',
  'notice.backup_none_here': '此处没有备份',
  'notice.backup_file_damaged': '{name} 已损坏：与写入时不一致',
  'notice.backup_file_missing': '缺少 {name}',
  'notice.backup_other_platform':
    '此处保存着另一个平台的备份：请换一个位置。如果是本平台更换了 APP_SECRET，请从 {file} 中删除 "platform"',
  'notice.backup_not_encrypted': '此处的备份未加密：请不要填写口令，或换一个位置',
  'notice.backup_passphrase_needed': '此处的备份已加密：需要口令',
  'notice.backup_target_damaged': '保存位置的说明文件已损坏',
  'notice.backup_no_platform': '此数据库中没有平台',
  'notice.backup_passphrase_short': '备份口令至少需要 {least} 个字符',
  'notice.backup_passphrase_wrong': '口令与此保存位置不符',
  'notice.backup_file_row': '存储文件的一行记录与平台写入的格式不符',
  'notice.backup_files_gone':
    '存储文件的内容丢失或损坏：{files}。请恢复它们，或使用 --allow-missing 在没有它们的情况下备份',
  'notice.backup_failed': '备份失败',
  'notice.backups_not_deleted': '无法删除旧备份',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  backup_running: '平台备份正在进行中',
  backup_no_target: '尚未设置备份的保存位置',
}

/** What its permissions let one do, by the sentence in English. */
export const permissions = {
  'See the platform’s backups and how they went': '查看平台备份及其结果',
  'Have a backup of the platform made now': '立即备份平台',
}
