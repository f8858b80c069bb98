// A page of a plugin by itself, in the frame and at the bridge that the console has for it. `openPage` of authors' tests shows it; the
// platform does not serve it.
import { createApp } from 'vue'
import { VueQueryPlugin } from '@tanstack/vue-query'
import { createRouter, createWebHistory } from 'vue-router'
import { loadMe } from '../api/me.ts'
import { queryClient } from '../app/query-client.ts'
import { session } from '../session/session.ts'
import { readHint } from '../tab/hint.ts'
import { i18n, loadTexts } from '../tab/i18n.ts'
import { followSystemTheme } from '../tab/theme.ts'
import TryPage from './TryPage.vue'
import '../ui/styles.css'

followSystemTheme()
await Promise.all([loadTexts('shell'), loadTexts('plugins')])
await session.resume(readHint().scope ?? 'tenant')
await loadMe()
const router = createRouter({
  history: createWebHistory('/console/'),
  // Any address; what it leads to reads it itself.
  routes: [{ path: '/:rest(.*)*', component: { render: () => null } }],
})
createApp(TryPage).use(i18n).use(VueQueryPlugin, { queryClient }).use(router).mount('#app')
