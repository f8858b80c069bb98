import { shallowRef } from 'vue'
import { useI18n } from 'vue-i18n'
import type { OrgDetail } from '../../../access/wire.ts'
import { call } from '../../../api/client.ts'

/** What a node takes along when it is moved, in words; a move does not wait for them. */
export function useTaken() {
  const { t } = useI18n()
  const takes = shallowRef<string>()
  let wanted = 0
  async function weigh(id: number): Promise<void> {
    takes.value = undefined
    wanted = id
    const asked = call<OrgDetail>('GET', `/tenant/orgs/${id}`, { query: { counts: true } })
    const counts = (await asked.catch(() => undefined))?.counts
    if (!counts || wanted !== id) return
    const [nodes, people] = [t('access.takesNodes', counts.nodes), t('access.takesPeople', counts.people)]
    takes.value = t('access.takes', { nodes, people })
  }
  return { takes, weigh }
}
