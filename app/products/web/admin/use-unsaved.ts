import { useRef } from 'react'
import type { DetailedProduct } from '#app/products/contract.ts'
import { isChanged } from './product-form.ts'

/** Tracks whether the product form has unsaved changes. */
export function useUnsaved(read?: DetailedProduct) {
  const form = useRef<HTMLFormElement>(null)
  const isOver = useRef(false)
  return {
    form,
    isUnsaved: () =>
      !isOver.current && form.current !== null && isChanged(new FormData(form.current), read),
    /** The product was saved or deleted. */
    end() {
      isOver.current = true
    },
  }
}
