import { type MouseEvent, type ReactNode, useState } from 'react'
import { Dialog } from '#app/shared/web/dialog.tsx'
import { photoUrl } from '../contract.ts'
import type { PhotographedProduct } from './product-photo.tsx'

type Props = { product: PhotographedProduct; children: ReactNode }

/**
 * A link from a product's photo to its largest version, which opens in a dialog; without scripts, and
 * with a modifier key, in a tab of its own.
 */
export function LargePhoto({ product, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  if (product.photo === null) return children
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.altKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    setOpen(true)
  }
  return (
    <>
      <a
        href={photoUrl(product, 1280)}
        target="_blank"
        aria-label={`Large photo of ${product.name}`}
        onClick={open}
        className="block"
        style={{ cursor: 'zoom-in' }}
        rel="noopener"
      >
        {children}
      </a>
      {isOpen && <PhotoDialog product={product} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The height of the window without the name and the buttons. */
const ROOM = 'calc(100dvh - 13rem)'

/** The photo as large as the window, or in its own size. */
function PhotoDialog({ product, onClose }: { product: PhotographedProduct; onClose: () => void }) {
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
