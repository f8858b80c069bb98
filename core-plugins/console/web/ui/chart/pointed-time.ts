import { ref } from 'vue'

/** The time that somebody points at in a chart: where it begins, ISO 8601. All charts of a page show what theirs say of it. */
export const pointedTime = ref<string>()
