/** The plugin's texts in other languages than English, by reason. */
export const messages = {
  'zh-CN': {
    storage_test_failed: '存储连接测试失败：{step}',
    storage_mode: '平台不允许租户做此选择',
    signature_invalid: '链接已失效',
    storage_unavailable: '存储 {driver} 不可用',
    storage_driver_not_found: '存储驱动不存在',
    object_key_invalid: '对象键无效：{fault}',
    storage_config_invalid: '部分存储配置无效',
    storage_quota_exceeded: '存储空间不足',
    storage_error: '存储出错',
    storage_upstream_error: '存储服务出错：{fault}',
  },
} as const
