import { nextTick, watch, type Ref } from 'vue'
import { useRouter } from 'vue-router'
import { live } from '../../../realtime/live.ts'
import { onNews } from '../../../realtime/use-live.ts'
import { findDraft, forgetDraft } from '../../../tab/drafts.ts'
import { say } from '../../../tab/i18n.ts'
import { toast } from '../../../ui/toasts.ts'
import type { useThread } from './use-thread.ts'

/** Keeps the conversation of an address as other tabs and devices leave it; one that they delete is left for a new one. */
export function useConversationNews(
  id: Readonly<Ref<string>>,
  { conversation, refresh }: Pick<ReturnType<typeof useThread>, 'conversation' | 'refresh'>,
  /** Whether its reader deletes a conversation here. */
  isDeleting: (id: string) => boolean,
  /** Puts words where the next question is written. */
  fill: (words: string) => void,
): void {
  const router = useRouter()

  /** What was typed there goes on as the beginning of another one. */
  async function deletedElsewhere(gone: string) {
    if (gone !== id.value || isDeleting(gone)) return
    await router.replace('/chat')
    await nextTick()
    const words = findDraft<string>(`chat:${gone}`)?.values
    forgetDraft(`chat:${gone}`)
    if (words) fill(words)
    toast(say('user.deletedElsewhere'))
  }
  onNews(({ event, data }) => {
    if (event === 'conversation.deleted') return void deletedElsewhere(String(data['id']))
    const about = event === 'conversation.updated' ? data['id'] : data['conversation_id']
    // Another tab or device asked, or was answered.
    if (about === conversation.value?.id) refresh().catch(() => undefined)
  })
  // What was told while nothing was heard is not told again.
  watch(
    () => live.isLive,
    (now, before) => now && before === false && refresh().catch(() => undefined),
  )
}
