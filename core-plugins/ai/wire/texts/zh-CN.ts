/** What the errors say in Chinese, by reason. */
export const errors = {
  request_field_invalid: '{field}：{fault}',
  cannot_carry: '该模型不支持 {field}：{fault}',
}
