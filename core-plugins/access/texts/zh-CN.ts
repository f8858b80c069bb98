import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '访问控制',
  'plugin.description': '角色、权限、组织架构、菜单与审计日志',
  admin_people: '用户与角色',
  admin_roles: '角色',
  admin_permissions: '权限',
  admin_system: '系统',
  admin_menus: '菜单',
  admin_audit: '审计',
  tenant_people: '用户',
  tenant_orgs: '组织架构',
  tenant_roles: '角色',
  tenant_audit: '审计',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  role_refused: '一个用户最多拥有 {limit} 个角色',
  role_held_in_person: '角色 {role} 只能授予用户本人，不能通过组织授予',
  org_too_deep: '组织层级最多 {limit} 级',
  role_above_caller: '所需权限超出您自身的权限：{permission}',
  role_code_taken: '该角色编码已存在',
  org_code_taken: '该组织编码已存在',
  system_role_fixed: '系统角色不可更改，只能添加插件权限',
  role_in_use: '仍有用户或组织拥有该角色',
  org_in_use: '该组织仍有下级组织、成员，或被角色的数据范围引用',
  org_cycle: '不能将组织移动到其自身之下',
  menu_cycle: '不能将菜单移动到其自身之下',
}

/** What its permissions let one do, by the sentence in English. */
export const permissions = {
  'Open the console of administrators': '打开管理员控制台',
  'List the platform’s roles': '列出平台角色',
  'Read a platform role with its permissions': '查看平台角色及其权限',
  'Create platform roles': '创建平台角色',
  'Change platform roles': '修改平台角色',
  'Delete platform roles': '删除平台角色',
  'Give and take platform roles': '授予和收回平台角色',
  'List the menus of the platform': '列出平台菜单',
  'Arrange the menus of the platform': '编排平台菜单',
  'Read the platform’s audit log': '查看平台审计日志',
  'Export the platform’s audit log': '导出平台审计日志',
  'Open the console of the tenant': '打开租户控制台',
  'List the tenant’s roles': '列出租户角色',
  'Read a role of the tenant with its permissions': '查看租户角色及其权限',
  'Create roles in the tenant': '创建租户角色',
  'Change roles of the tenant': '修改租户角色',
  'Delete roles of the tenant': '删除租户角色',
  'Give and take roles of the tenant': '授予和收回租户角色',
  'List the tenant’s organisation': '列出租户组织架构',
  'Read an organisation node': '查看组织节点',
  'Create organisation nodes': '创建组织节点',
  'Change organisation nodes': '修改组织节点',
  'Delete organisation nodes': '删除组织节点',
  'Move organisation nodes': '移动组织节点',
  'List the menus of the tenant': '列出租户菜单',
  'Read the tenant’s audit log': '查看租户审计日志',
  'Export the tenant’s audit log': '导出租户审计日志',
}
