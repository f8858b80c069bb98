import { createApp } from 'vue'
import { VueQueryPlugin } from '@tanstack/vue-query'
import App from './App.vue'
import { queryClient } from './app/query-client.ts'
import { createConsoleRouter } from './app/router.ts'
import { i18n, loadTexts } from './tab/i18n.ts'
import { followSystemTheme } from './tab/theme.ts'
import { watchForms } from './ui/form/unfit-fields.ts'
import './ui/styles.css'

followSystemTheme()
watchForms()
await loadTexts('shell')
createApp(App).use(i18n).use(VueQueryPlugin, { queryClient }).use(createConsoleRouter()).mount('#app')
