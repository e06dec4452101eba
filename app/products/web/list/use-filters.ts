import { startTransition, useOptimistic } from 'react'
import { type To, useNavigate } from 'react-router'

/**
 * What is chosen lives in the address. What is ticked shows at once, and quick clicks build on each
 * other, not on the last answer.
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
