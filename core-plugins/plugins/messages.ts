import { sandboxMessages } from '#sandbox'

/** Texts of this plugin's errors in other languages; English stands in the errors themselves. */
export const messages = {
  'zh-CN': {
    ...sandboxMessages['zh-CN'],
    manifest_invalid: '插件清单无效',
    package_invalid: '安装包被拒绝：{problem}',
    package_signature_invalid: '安装包的签名被拒绝：{problem}',
    release_damaged: '{release} 的文件与安装时不一致',
    plugin_not_found: '没有这个插件',
    plugin_operation_not_found: '没有这个操作',
    operation_in_progress: '该插件正在进行另一个操作：{operation}',
    plugin_operation_taken_over: '操作已被另一台主机接管',
    plugin_release_installed: '{name} 的 {version} 版本已经安装',
    plugin_installed: '{name} 已安装 {version} 版本，请先卸载',
    plugin_status: '插件处于 {status} 状态时无法进行此操作',
    plugin_consent_outdated: '授权内容与插件当前的请求不一致',
    plugin_migration_failed: '数据库拒绝了迁移 {migration}：{why}',
    plugin_required: '其他插件依赖它，请先卸载它们',
    plugin_incompatible: '插件与本平台不兼容',
    plugin_not_assignable: '平台级插件不分配给租户',
    plugin_capability_not_optional: '{capability} 不是该插件的可选能力',
    plugin_broken: '插件无法加载：{why}',
    plugin_host_behind: '主机 {host} 未跟上：跟上后操作将继续',
    plugin_event_queue_full: '{plugin} 的事件队列已满',
    plugin_schedule_not_found: '该插件没有这个定时任务',
    plugin_schedule_not_planned: '没有租户在使用定时任务 {schedule}',
    plugin_schedule_running: '定时任务 {schedule} 正在运行',
    plugin_event_not_found: '没有这个被搁置的事件',
    plugin_release_unavailable: '暂时无法从存储读取 {release} 的软件包',
  },
} as const
