import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { type DetailedProduct, photoUrl } from '../contract.ts'
import { LargePhoto } from './large-photo.tsx'
import { type PhotographedProduct, ProductPhoto } from './product-photo.tsx'
import './gallery.css'

type Props = {
  product: Pick<DetailedProduct, '_id' | 'name' | 'photo' | 'photos'>
  /** The place of the photo of the chosen variant; without one, the first photo. */
  chosenPhoto?: number | undefined
}

/** The photos of a product. The first one has the address that it has in lists, where it was loaded already. */
const photosOf = ({ _id, name, photo, photos = [] }: Props['product']): PhotographedProduct[] =>
  photos.length === 0
    ? [{ _id, name, photo }]
    : photos.map(({ alt, ...one }, at) => ({
        ...one,
        ...(at === 0 && { _id }),
        name: alt ?? (at === 0 ? name : `${name}, photo ${at + 1}`),
      }))

/** What `scrollTo` returns, in some browsers a promise, is no cleanup of an effect. */
function showPhoto(list: HTMLUListElement | null, at: number): void {
  list?.scrollTo({ left: at * list.clientWidth })
}

/**
 * The photos of a product, of which one is in view: by swiping, by its thumbnail, or by choosing a variant. Each opens
 * large. Without scripts, a thumbnail is a link to its photo.
 */
export function Gallery({ product, chosenPhoto = 0 }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const [shown, setShown] = useState(0)
  const photos = photosOf(product)
  useEffect(() => showPhoto(list.current, chosenPhoto), [chosenPhoto])
  const choose = (event: MouseEvent, at: number) => {
    event.preventDefault()
    showPhoto(list.current, at)
  }
  return (
    <div className="surface min-w-0 self-start overflow-hidden">
      <ul
        ref={list}
        aria-label="Photos"
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
          setShown(Math.round(scrollLeft / clientWidth))
        }
        className="gallery"
      >
        {photos.map((photo, at) => (
          <li key={photo._id} id={`photo-${at + 1}`}>
            <LargePhoto product={photo}>
              <ProductPhoto
                product={photo}
                height={400}
                widths={[640, 1280]}
                sizes="(width >= 80rem) 38rem, (width >= 48rem) 50vw, 100vw"
                loading={at === 0 ? 'first' : 'lazy'}
              />
            </LargePhoto>
          </li>
        ))}
      </ul>
      {photos.length > 1 && (
        <nav aria-label="Photos" className="gallery-thumbnails">
          {photos.map((photo, at) => (
            <a
              key={photo._id}
              href={`#photo-${at + 1}`}
              aria-label={`Photo ${at + 1} of ${photos.length}`}
              aria-current={at === shown ? 'true' : undefined}
              onClick={(event) => choose(event, at)}
            >
              <img src={photoUrl(photo, 320)} alt="" width={64} height={64} loading="lazy" />
            </a>
          ))}
        </nav>
      )}
    </div>
  )
}
