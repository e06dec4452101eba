import type { DemoCategory } from '../demo-category.ts'

export const outdoorsAndSport: DemoCategory = {
  name: 'Outdoors & Sport',
  palette: { light: '#d8f1ec', deep: '#84cac2', disc: '#f1fcf9', shade: '#10504c' },
  products: [
    {
      name: 'Rambler City Bicycle',
      emoji: '1f6b2',
      price: 420,
      quantity: 4,
      shipping: false,
      description:
        'A red bicycle, a bike for town with an upright seat, swept handlebars and a yellow guard over the chain. The steel frame is lugged, the hub has three gears, and the brakes work in the rain. 14 kg, for riders from 155 to 185 cm. Collected at the stall, with the saddle set to your height.',
    },
    {
      name: 'Basecamp Two Tent',
      emoji: '26fa',
      price: 179,
      quantity: 10,
      shipping: true,
      description:
        'A camping tent for two in meadow green that stands in four minutes. The flysheet withstands a water column of 4,000 mm, and the whole packs to 2.4 kg. Two mesh windows keep the flies out; the moon is not included.',
    },
    {
      name: 'Explorer Brass Compass',
      emoji: '1f9ed',
      price: 45,
      quantity: 18,
      shipping: true,
      description:
        'A pocket compass in solid brass, 5 cm across, with a needle on a sapphire. The eight-pointed rose is engraved, the case is filled with oil, and it still points north at minus thirty. Comes with a leather cord.',
    },
    {
      name: 'Rainbow Diamond Kite',
      emoji: '1fa81',
      price: 23,
      quantity: 42,
      shipping: true,
      description:
        'A diamond kite in four colours with a tail of three bows. Ripstop nylon on carbon rods flies in a breeze of 8 km/h and survives the landing. 70 by 80 cm, with 50 m of line on a reel.',
    },
    {
      name: 'Timberline Hiking Boots',
      emoji: '1f97e',
      price: 128,
      quantity: 14,
      shipping: true,
      description:
        'Hiking boots of honey-coloured nubuck with a collar that holds the ankle. The welted sole can be renewed, and the membrane keeps streams outside. Break them in on two short walks and wax them each season.',
    },
    {
      name: 'Boardwalk Roller Skates',
      emoji: '1f6fc',
      price: 82.5,
      quantity: 9,
      shipping: true,
      description:
        'High roller skates in sunset pink with soft wheels of 58 mm for rough promenades. The lining is padded, the toe stop is adjustable, and the bearings are ABEC 7. Sizes 35 to 43.',
    },
    {
      name: 'Halfpipe Skateboard',
      emoji: '1f6f9',
      price: 66,
      quantity: 16,
      shipping: true,
      description:
        'Seven plies of Canadian maple, pressed into a popsicle of 8 by 32 inches. Graphite grip on the top, red wheels of 53 mm underneath, trucks that turn and do not squeak. Assembled and ready to roll.',
    },
    {
      name: 'Centre Court Tennis Racket',
      emoji: '1f3be',
      price: 75,
      quantity: 20,
      shipping: true,
      description:
        'A tennis racket of 285 g with a head of 645 square centimetres that helps on bad days. The rose-red frame is graphite, strung at 24 kg and balanced towards the grip. One ball comes with it; the second serve is yours.',
    },
    {
      name: 'Lagoon Mask and Snorkel',
      emoji: '1f93f',
      price: 34,
      quantity: 0,
      shipping: true,
      description:
        'A mask with one wide lens of tempered glass and a snorkel that stays dry at the top. The skirt is soft silicone, which seals without pressing. Rinse both in fresh water and dry them in the shade.',
    },
    {
      name: 'Sunday League Football',
      emoji: '26bd',
      price: 27.5,
      quantity: 33,
      shipping: true,
      description:
        'A size 5 football with thirty-two stitched panels in white and blue. The bladder is latex, the cover is tough PU, and it keeps its pressure for weeks. Inflate it to 0.8 bar.',
    },
    {
      name: 'Night Walk Flashlight',
      emoji: '1f526',
      price: 17.8,
      quantity: 48,
      shipping: true,
      description:
        'A pocket torch with a beam of 120 m that narrows with a twist of the head. It is machined from aluminium, survives rain and a fall from the roof, and gives 300 lumens for six hours on two AA batteries.',
    },
  ],
}
