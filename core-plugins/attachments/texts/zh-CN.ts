import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '附件',
  'plugin.description': '用户和租户的文件：上传、访问、图片',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  file_rejected: '文件被拒绝：{fault}',
  attachment_signature_invalid: '链接有误、被改动或已失效',
  uploads_disabled: '此处不允许上传文件',
  storage_configuration_unavailable: '存储配置不可用',
  attachment_not_found: '没有这个附件',
  upload_conflict: '与该上传不符：{fault}',
  file_too_large: '文件最多 {limit} 字节',
  range_not_satisfiable: '只接受文件范围内的单个字节区间',
  attachment_quota_exceeded: '存储空间不足，无法保存文件',
  image_params_invalid: '图片参数无效',
  not_an_image: '该文件不是可处理的图片',
  image_too_large: '图片过大，无法处理',
  image_rate_limited: '图片请求过于频繁，请稍候',
  image_processing_failed: '图片处理失败',
  image_overloaded: '正在处理的图片过多，请稍后重试',
}
