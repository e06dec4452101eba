import { startTransition, useOptimistic } from 'react'
import { type To, useNavigate } from 'react-router'

/**
 * The filters of a page, which are in its URL. A selection shows at once (optimistic update), and
 * quick clicks build on each other.
 */
export function useFilters<Choice>(choice: Choice, addressOf: (choice: Choice) => To) {
  const navigate = useNavigate()
  const [shown, show] = useOptimistic<Choice>(choice)
  const choose = (next: Choice) =>
    startTransition(async () => {
      show(next)
      await navigate(addressOf(next), { preventScrollReset: true })
    })
  return { shown, choose, waiting: shown !== choice }
}
