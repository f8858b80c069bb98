import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '附件',
  'picture.not_found': '没有这个附件',
  'picture.type': '必须是图片',
  'picture.visibility': '必须对所有人公开：请按此用途上传',
  'picture.size': '图片过大',
  'file.visibility': '必须对整个租户或所有人公开',
  'notice.quarantined_title': '您的一个文件已被隔离',
  'notice.quarantined_infected': '病毒扫描在 {filename} 中发现 {signature}。任何人都无法打开该文件，请将其删除。',
  'notice.quarantined_too_large': '{filename} 超出病毒扫描的大小限制，任何人都无法打开。',
  scan: '病毒扫描',
  'scan.description': '文件在扫描之前任何人都无法打开',
  'scan.mode': '扫描器',
  'scan.off': '不使用',
  'scan.clamd': 'ClamAV（clamd）',
  'scan.address': '地址',
  'scan.address.description': 'clamd 的主机和端口，例如 clamav.example.com:3310；内网地址须列入 EGRESS_ALLOW_PRIVATE',
  'scan.timeout': '单个文件最长时间',
  'scan.max': '可扫描的最大文件',
  'scan.too_large': '更大的文件',
  'scan.quarantine': '任何人都无法打开',
  'scan.allow': '直接放行',
  'scan.when_away': '扫描器不可用时',
  'scan.wait': '文件等待扫描',
  'scan.allow_later': '一段时间后放行',
  'scan.away_minutes': '等待时间',
  'plugin.description': '用户和租户的文件：上传、访问、图片',
  user_files: '文件',
  tenant_files: '全部文件',
  admin_files: '文件',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  file_rejected: '文件被拒绝：{fault}',
  attachment_signature_invalid: '链接有误、被改动或已失效',
  uploads_disabled: '此处不允许上传文件',
  storage_configuration_unavailable: '存储配置不可用',
  attachment_not_found: '没有这个附件',
  attachment_pending: '该附件尚在病毒扫描中',
  attachment_quarantined: '该附件已被隔离',
  attachment_in_use: '该附件正在使用中',
  upload_not_found: '没有这个上传，或已不存在',
  tus_version_unsupported: '此处使用 tus {version} 版本：请在 Tus-Resumable 中注明',
  upload_checksum_mismatch: '字节与校验和不符，均未保留',
  upload_conflict: '与该上传不符：{fault}',
  file_too_large: '文件最多 {limit} 字节',
  range_not_satisfiable: '只接受文件范围内的单个字节区间',
  hash_algorithm_unsupported: '此处以 SHA-256 预告文件',
  attachment_quota_exceeded: '存储空间不足，无法保存文件',
  image_params_invalid: '图片参数无效',
  not_an_image: '该文件不是可处理的图片',
  image_too_large: '图片过大，无法处理',
  image_rate_limited: '图片请求过于频繁，请稍候',
  image_processing_failed: '图片处理失败',
  image_overloaded: '正在处理的图片过多，请稍后重试',
}

/** What its permissions let one do, by the sentence in English. */
export const permissions = {
  'List the attachments of the platform and of tenants': '列出平台和租户的附件',
  'Delete attachments of anybody': '删除任何人的附件',
  'List and read the tenant’s attachments': '列出和查看租户的附件',
  'Delete attachments of the tenant': '删除租户的附件',
  'Upload files': '上传文件',
  'Read one’s own attachments and those that everybody of the tenant may read': '查看自己的附件和租户内公开的附件',
  'Delete one’s own attachments': '删除自己的附件',
}
