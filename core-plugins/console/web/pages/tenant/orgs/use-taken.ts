import { shallowRef } from 'vue'
import { useI18n } from 'vue-i18n'
import type { OrgDetail } from '../../../access/wire.ts'
import { call } from '../../../api/client.ts'

/** What the node that was asked for last takes along when it is moved, in words; a move does not wait for them. */
export function useTaken() {
  const { t } = useI18n()
  const taken = shallowRef<{ readonly id: number; readonly words?: string }>()
  async function weigh(id: number): Promise<void> {
    taken.value = { id }
    const asked = call<OrgDetail>('GET', `/tenant/orgs/${id}`, { query: { counts: true } })
    const counts = (await asked.catch(() => undefined))?.counts
    if (!counts || taken.value.id !== id) return
    const [nodes, people] = [t('access.takesNodes', counts.nodes), t('access.takesPeople', counts.people)]
    taken.value = { id, words: t('access.takes', { nodes, people }) }
  }
  /** Of a node; undefined where another one was asked for since. */
  function takesOf(id: number): string | undefined {
    return taken.value?.id === id ? taken.value.words : undefined
  }
  return { taken, takesOf, weigh }
}
