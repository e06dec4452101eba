import type { DemoCategory } from '../demo-category.ts'

export const kitchenAndPantry: DemoCategory = {
  name: 'Kitchen & Pantry',
  palette: { light: '#fde7cd', deep: '#f3b184', disc: '#fff6e6', shade: '#7a3414' },
  products: [
    {
      name: 'Anjali Enamel Teapot',
      emoji: '1fad6',
      price: 34.5,
      quantity: 24,
      shipping: true,
      description:
        'A round teapot in raspberry enamel with a tangerine rim. It holds 1.2 litres, which is six cups, and the short spout pours without a drip. Steel under the enamel keeps the tea warm and shrugs off a knock. Wash it by hand and dry it open.',
    },
    {
      name: 'Wildflower Honey in a Stone Pot',
      emoji: '1f36f',
      price: 18.95,
      quantity: 40,
      shipping: true,
      description:
        'Raw honey from hives above the tree line, strained once and never heated. The 450 g pot is stoneware with a dark glazed belly, and an olive-wood dipper comes with it. Should it crystallise, stand it in warm water for an hour.',
    },
    {
      name: 'Corner Café Coffee Mug',
      emoji: '2615',
      price: 16,
      quantity: 58,
      shipping: true,
      description:
        'A coffee mug with a saucer to match, made of thick white porcelain that stays warm to the last sip. It holds 280 ml, enough for a flat white or a long black. Safe in the dishwasher and the microwave.',
    },
    {
      name: 'Gruyère Fondue Set',
      emoji: '1fad5',
      price: 64,
      quantity: 9,
      shipping: true,
      description:
        'Everything for a long evening around one pot: a cherry-red cast-iron caquelon of 1.8 litres, a steel stand with a burner, and six beech-handled forks. Rub the pot with garlic, melt 800 g of cheese, and talk. The burner takes gel or spirit.',
    },
    {
      name: "Indigo Chef's Knife",
      emoji: '1f52a',
      price: 89,
      quantity: 13,
      shipping: true,
      description:
        'A broad 20 cm blade for everything from herbs to pumpkins. High-carbon steel hardened to 58 HRC takes a fine edge and keeps it; the indigo handle is riveted three times and sits well in a wet hand. Rinse, dry, and keep it out of the dishwasher.',
    },
    {
      name: 'Sunrise Cast-Iron Skillet',
      emoji: '1f373',
      price: 47.25,
      quantity: 17,
      shipping: true,
      description:
        'A 26 cm skillet that is seasoned and ready to fry the first egg. Cast iron holds its heat, goes from stove to oven to table, and only gets better with age. Wipe it clean, rub in a drop of oil, and leave it to your grandchildren.',
    },
    {
      name: 'Cobalt Breakfast Bowl',
      emoji: '1f963',
      price: 22.5,
      quantity: 31,
      shipping: true,
      description:
        'A deep stoneware bowl for porridge, noodles or half a litre of soup. The cobalt glaze is darker inside, where the reactive minerals gather. A brushed-steel spoon comes with it, and both go in the dishwasher.',
    },
    {
      name: 'Snow Country Sake Set',
      emoji: '1f376',
      price: 58,
      quantity: 2,
      shipping: true,
      description:
        'A 300 ml flask and its cup, turned in white porcelain and ringed with one brushstroke of blue. Set the flask in hot water for two minutes to serve the sake warm. Each piece differs a little, since the stroke is painted by hand. Packed as a gift.',
    },
    {
      name: 'Pampas Mate Gourd',
      emoji: '1f9c9',
      price: 27.4,
      quantity: 22,
      shipping: true,
      description:
        'A real calabash, dried for a year and rimmed with nickel silver, with its filter straw. Cure it overnight with wet yerba before the first mate. It holds 200 ml; empty it after use and let it dry on its side.',
    },
    {
      name: 'Alpine Cheese Wedge',
      emoji: '1f9c0',
      price: 14.2,
      quantity: 35,
      shipping: false,
      description:
        'Mountain cheese with cherry-sized holes, aged for twelve months on spruce boards. It is nutty, a little sweet, and melts into long strings. One wedge weighs 400 g; collect it from the stall and keep it wrapped in paper, not in plastic.',
    },
    {
      name: 'Midnight Chocolate Bar',
      emoji: '1f36b',
      price: 6.75,
      quantity: 0,
      shipping: true,
      description:
        'Dark chocolate of 72% cocoa from one cooperative in Piura, Peru. Three days in the conche make it smooth; a pinch of sea salt makes it interesting. 90 g in foil and red paper, a small gift.',
    },
  ],
}
