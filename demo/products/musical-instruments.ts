import type { DemoCategory } from '../demo-category.ts'

export const musicalInstruments: DemoCategory = {
  name: 'Musical Instruments',
  palette: { light: '#fff0c4', deep: '#f3bf58', disc: '#fffae8', shade: '#7a4a08' },
  products: [
    {
      name: 'Crimson Electric Guitar',
      emoji: '1f3b8',
      price: 449,
      quantity: 7,
      shipping: true,
      description:
        'An electric guitar with a crimson alder body, a white pickguard and a maple neck that plays itself. Three single-coil pickups and a five-way switch cover everything from glassy to rude. It is set up by hand in our shop and comes in a padded bag.',
    },
    {
      name: 'Fiesta Maracas',
      emoji: '1fa87',
      price: 21,
      quantity: 36,
      shipping: true,
      description:
        'A pair of gourd maracas, painted in bands of green, blue and yellow. They are filled with canna seeds, one a little higher than the other, on handles of beech. 26 cm long, and loud enough for the back row.',
    },
    {
      name: 'Bandstand Trumpet',
      emoji: '1f3ba',
      price: 365,
      quantity: 5,
      shipping: true,
      description:
        'A B-flat trumpet in lacquered yellow brass with a bell of 123 mm. Its monel valves are fast and stay fast, and the third slide has a ring and a stop. With mouthpiece, oil and a case that survives a bus.',
    },
    {
      name: 'Polka Accordion',
      emoji: '1fa97',
      price: 540,
      quantity: 2,
      shipping: true,
      description:
        'Twenty-six keys, forty-eight basses and a red pearl finish that can be seen from the dance floor. Two sets of Italian reeds give a bright musette, and the bellows have steel corners. It weighs 6.2 kg with its straps.',
    },
    {
      name: 'Village Djembe',
      emoji: '1fa98',
      price: 86,
      quantity: 11,
      shipping: true,
      description:
        'A goblet drum carved from one piece of mahogany, 50 cm tall, with a goatskin head of 26 cm. Rope tuning lets you pull it from a round bass to a crack. Keep it away from radiators, as the skin tightens by itself.',
    },
    {
      name: 'Old Cremona Violin',
      emoji: '1f3bb',
      price: 320,
      quantity: 6,
      shipping: true,
      description:
        'A full-size violin with a spruce top and a back of flamed maple under dark oil varnish. The pegs and fingerboard are ebony, and the bridge is cut and fitted. Bow, rosin and a light case are included.',
    },
    {
      name: 'Blue Note Alto Saxophone',
      emoji: '1f3b7',
      price: 780,
      quantity: 0,
      shipping: true,
      description:
        'An alto saxophone with a hand-hammered bell and a voice between smoke and honey. The keys are double-braced, the pads are leather, and the high F sharp speaks at once. With mouthpiece, strap and case.',
    },
    {
      name: 'Parade Snare Drum',
      emoji: '1f941',
      price: 99.5,
      quantity: 14,
      shipping: true,
      description:
        'A snare drum with a red birch shell of 14 by 6 inches and ten lugs in chrome. Twenty steel wires answer to the lightest tap, and a lever drops them. A pair of hickory sticks lies on top.',
    },
    {
      name: 'Front Porch Banjo',
      emoji: '1fa95',
      price: 189,
      quantity: 8,
      shipping: true,
      description:
        'A four-string banjo with a maple rim, brass brackets and a frosted head. The short neck is kind to small hands, and the open back keeps it under 2 kg. Tune it C-G-B-D and sit outside.',
    },
    {
      name: 'Pearwood Recorder',
      emoji: '1fa88',
      price: 31.5,
      quantity: 30,
      shipping: true,
      description:
        'A soprano recorder turned from pearwood, in three joints with Baroque fingering. The wood is waxed, so it can be played for an hour a day from the start. With a cleaning rod, cork grease and a cotton bag.',
    },
  ],
}
