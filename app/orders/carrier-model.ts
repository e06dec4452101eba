/** Carriers of parcels whose tracking pages are known. The name of another one is shown without a link. */

/** The tracking page of each carrier; the tracking number is appended. */
const TRACKING_PAGES: Record<string, string> = {
  'Australia Post': 'https://auspost.com.au/mypost/track/details/',
  'Blue Dart': 'https://www.bluedart.com/trackdartresultthirdparty?trackFor=0&trackNo=',
  'Canada Post': 'https://www.canadapost-postescanada.ca/track-reperage/en#/details/',
  Colissimo: 'https://www.laposte.fr/outils/suivre-vos-envois?code=',
  Delhivery: 'https://www.delhivery.com/track-v2/package/',
  DHL: 'https://www.dhl.com/global-en/home/tracking.html?tracking-id=',
  DPD: 'https://tracking.dpd.de/status/en_US/parcel/',
  DTDC: 'https://www.dtdc.in/trace.asp?strCnno=',
  Evri: 'https://www.evri.com/track/parcel/',
  FedEx: 'https://www.fedex.com/fedextrack/?trknbr=',
  GLS: 'https://gls-group.com/track/',
  Hermes: 'https://www.myhermes.de/empfangen/sendungsverfolgung/sendungsinformation/#',
  'India Post':
    'https://www.indiapost.gov.in/_layouts/15/dop.portal.tracking/trackconsignment.aspx?consignment=',
  PostNL: 'https://postnl.nl/tracktrace/?B=',
  'Royal Mail': 'https://www.royalmail.com/track-your-item#/tracking-results/',
  UPS: 'https://www.ups.com/track?tracknum=',
  USPS: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=',
}

export const CARRIERS = Object.keys(TRACKING_PAGES)

/** The page that follows a parcel; null for a carrier that is not known, and without a number. */
export function trackingUrlOf(carrier: string | null, trackingNumber: string | null) {
  if (carrier === null || trackingNumber === null) return null
  const name = CARRIERS.find((one) => one.toLowerCase() === carrier.trim().toLowerCase())
  const page = name && TRACKING_PAGES[name]
  return page ? page + encodeURIComponent(trackingNumber.replaceAll(/\s/g, '')) : null
}
