/** The plugin's texts in other languages than English, by reason. */
export const messages = {
  'zh-CN': {
    config_key_unknown: '配置组 {group} 没有该配置项',
    config_group_not_found: '配置组不存在',
    legal_text_empty: '暂无该文本',
    change_pending: '{keys} 的变更正在等待审批',
    config_change_decided: '该变更的状态已是 {state}',
    config_change_superseded: '变更所依据的值已改变，请重新提交',
    config_value_invalid: '部分配置值无效',
    config_error: '配置目录有误：{fault}',
  },
} as const
