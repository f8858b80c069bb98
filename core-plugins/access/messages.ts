/** The plugin's texts in other languages than English, by reason. */
export const messages = {
  'zh-CN': {
    role_refused: '一个用户最多拥有 {limit} 个角色',
    role_above_caller: '所需权限超出您自身的权限：{permission}',
    role_code_taken: '该角色编码已存在',
    system_role_fixed: '系统角色的名称和权限不可更改，只能添加插件权限',
    role_in_use: '仍有用户拥有该角色',
  },
} as const
