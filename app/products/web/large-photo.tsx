import { type MouseEvent, type ReactNode, useState } from 'react'
import { photoUrl } from '../contract.ts'
import type { PhotoDialog } from './photo-dialog.tsx'
import type { PhotographedProduct } from './product-photo.tsx'

type Props = { product: PhotographedProduct; children: ReactNode }

/**
 * A link from a product's photo to its largest version, which opens in a dialog; without scripts, and
 * with a modifier key, in a tab of its own.
 */
export function LargePhoto({ product, children }: Props) {
  // loaded when it is needed
  const [opened, setOpened] = useState<{ Dialog: typeof PhotoDialog }>()
  if (product.photo === null) return children
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.metaKey || event.altKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    const { href } = event.currentTarget
    import('./photo-dialog.tsx').then(
      (loaded) => setOpened({ Dialog: loaded.PhotoDialog }),
      () => location.assign(href),
    )
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
      {opened && <opened.Dialog product={product} onClose={() => setOpened(undefined)} />}
    </>
  )
}
