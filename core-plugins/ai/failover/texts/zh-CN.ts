/** What the errors say in Chinese, by reason. */
export const errors = {
  would_leave_no_target: '{route} 将没有任何可用目标：如仍要执行，请设置 force',
  ai_target_not_found: '没有路由或模型使用此目标',
}
