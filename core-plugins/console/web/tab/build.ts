import { ref } from 'vue'

/** Whether the server has another build of the console than the one that runs in this tab. */
export const isOutdated = ref(false)

/** The address of a page whose files could not be loaded. */
export const lostPage = ref<string>()
