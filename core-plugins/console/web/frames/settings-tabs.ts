import { computed } from 'vue'
import { useLastingSlots, type LastingSlot } from '../api/lasting-slots.ts'
import { useSlots } from '../api/slots.ts'
import { session } from '../session/session.ts'

/** What its address begins with: no tab of the console is called so. */
const mark = 'own-'

/** The tabs of settings that a plugin draws itself, for who may configure it. */
export function useSettingsTabs(plugin: () => string, permission: string) {
  const slots = useSlots()
  const entries = computed(() =>
    session.can(permission) ? (slots.data.value?.settings_tabs.filter((each) => each.plugin === plugin()) ?? []) : [],
  )
  const lasting = useLastingSlots(() => entries.value)
  const own = computed(() => lasting.value.filter(({ entry }) => entry.plugin === plugin()))
  const tabs = computed(() => own.value.map(({ entry: { id, title } }) => ({ name: mark + id, title })))
  const find = (tab: string): LastingSlot | undefined => own.value.find(({ entry }) => tab === mark + entry.id)
  return { tabs, find }
}
