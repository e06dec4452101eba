import { useRef } from 'react'
import type { Product } from '#app/products/contract.ts'
import { isChanged } from './product-form.ts'

/** Tells whether the product form holds what would be lost, until that does not matter any more. */
export function useUnsaved(read?: Product) {
  const form = useRef<HTMLFormElement>(null)
  const isOver = useRef(false)
  return {
    form,
    isUnsaved: () =>
      !isOver.current && form.current !== null && isChanged(new FormData(form.current), read),
    /** It is saved, or there is no such product any more. */
    end() {
      isOver.current = true
    },
  }
}
