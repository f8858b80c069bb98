import { ref } from 'vue'
import type { Stretch } from './shown-time.ts'

/** The time that somebody points at in a chart: where it begins, ISO 8601. All charts of a page show what theirs say of it. */
export const pointedTime = ref<string>()

/** The time that somebody is about to look at alone. */
export const chosenTime = ref<Stretch>()
