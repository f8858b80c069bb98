/** The plugin's texts in other languages than English, by reason. */
export const messages = {
  'zh-CN': {
    signature_invalid: '链接已失效',
    storage_unavailable: '存储 {driver} 不可用',
    object_key_invalid: '对象键无效：{fault}',
    storage_quota_exceeded: '存储空间不足',
    storage_error: '存储出错',
  },
} as const
