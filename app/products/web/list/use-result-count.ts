import { useAnnouncement } from '#app/shared/web/toast/use-announcement.ts'

/** Announces how many products a list has when its filters, its order or its keyword change. */
export const useResultCount = (total: number) =>
  useAnnouncement(`${total} ${total === 1 ? 'result' : 'results'}`)
