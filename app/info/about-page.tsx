import { PageHead } from '#app/shared/web/page-head.tsx'
import { ShopIllustration } from './shop-illustration.tsx'

/** A picture and filler text (spec §2). */
export default function AboutPage() {
  return (
    <article className="mx-auto grid max-w-6xl items-center gap-10 px-4 py-16 md:grid-cols-2 lg:gap-16 lg:px-8">
      <PageHead
        title="About us"
        description="A haat is an open-air market. This one is open day and night."
        path="/about"
      />
      <ShopIllustration />
      <div className="space-y-5 text-lg leading-relaxed">
        <h1 className="text-4xl sm:text-5xl">About us</h1>
        <p>
          A haat is an open-air market: people come from near and far, put out what they have made
          or grown, and go home with what others have. It is the oldest kind of shop there is.
        </p>
        <p>
          Ours is open day and night. Everything on our shelves has been picked by somebody who
          would take it home, is described as it is, and costs what it says.
        </p>
        <p>Look around, take your time, and ask us whatever you like.</p>
      </div>
    </article>
  )
}
