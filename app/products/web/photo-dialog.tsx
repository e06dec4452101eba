import { useState } from 'react'
import { Dialog } from '#app/shared/web/dialog.tsx'
import { photoUrl } from '../contract.ts'
import type { PhotographedProduct } from './product-photo.tsx'

/** The height of the window without the name and the buttons. */
const ROOM = 'calc(100dvh - 13rem)'

/** The photo as large as the window, or in its own size. */
export function PhotoDialog({
  product,
  onClose,
}: {
  product: PhotographedProduct
  onClose: () => void
}) {
  const [isFullSize, setFullSize] = useState(false)
  return (
    <Dialog title={product.name} wide onClose={onClose}>
      <div style={{ maxHeight: ROOM }} className="overflow-auto rounded-field bg-base-200">
        <img
          src={photoUrl(product, 1280)}
          alt={product.name}
          style={isFullSize ? { maxWidth: 'none' } : { maxHeight: ROOM }}
          className="mx-auto"
        />
      </div>
      <div className="mt-4 flex justify-end gap-3">
        <button
          type="button"
          aria-pressed={isFullSize}
          onClick={() => setFullSize(!isFullSize)}
          className="btn"
        >
          Full size
        </button>
        <button type="button" onClick={onClose} className="btn btn-primary">
          Close
        </button>
      </div>
    </Dialog>
  )
}
