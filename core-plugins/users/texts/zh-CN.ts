import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '用户',
  'plugin.description': '平台与租户的用户',
  admin_users: '用户',
  tenant_users: '用户',
  user_profile: '个人资料',
  'role.user': '普通用户',
  'default_role.options': '必须是权限不超过普通用户的角色',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  own_address_excluded: '您的地址 {ip} 不在其中，保存后您将无法登录',
  email_domain_refused: '不接受该域名的邮箱地址',
  invitation_invalid: '邀请码错误、已使用、已过期，或邀请人已无权授予其中的角色',
  email_proof_invalid: '验证链接错误、已使用或已过期',
  second_factor_invalid: '两步验证码错误或已使用',
  registration_off: '未开放注册，需要邀请码',
  profile_edit_disabled: '不允许修改个人资料',
  duplicate: '该 {field} 已被其他用户使用',
  last_holder: '必须至少保留一名有效的 {role}',
  own_account: '不能对自己的账号执行该操作',
  not_pending: '该用户不在待审批状态',
  registration_pending: '该用户的注册尚未完成，请先审批',
  password_policy: '密码过于简单',
  overloaded: '当前登录人数过多，请稍后重试',
  'has too few or too many characters': '字符数过少或过多',
  'is among the first that are tried': '过于常见，容易被猜到',
  'is made of a name or an address': '由姓名或地址组成',
  'lacks a kind of character': '缺少某类字符',
}

/** What its permissions let one do, by the sentence in English. */
export const permissions = {
  'List the platform’s users': '列出平台用户',
  'Read a user of the platform': '查看平台用户',
  'Create users of the platform': '创建平台用户',
  'Change and disable users of the platform': '修改和停用平台用户',
  'Delete users of the platform': '删除平台用户',
  'Set a new password for a user of the platform': '为平台用户设置新密码',
  'See and end the sessions of the platform’s users': '查看和结束平台用户的会话',
  'List the tenant’s users': '列出租户用户',
  'Read a user of the tenant': '查看租户用户',
  'Create users in the tenant': '创建租户用户',
  'Change and disable users of the tenant': '修改和停用租户用户',
  'Delete users of the tenant': '删除租户用户',
  'Set a new password for a user of the tenant': '为租户用户设置新密码',
  'Approve registrations': '审批注册',
  'See and end the sessions of the tenant’s users': '查看和结束租户用户的会话',
  'Read the own profile': '查看个人资料',
  'Change the own profile': '修改个人资料',
}
