import { createElement, type ReactElement, type SVGProps } from 'react'

export type IconProps = SVGProps<SVGSVGElement> & {
  readonly size?: number
}
export type IconComponent = (props: IconProps) => ReactElement

export const icon =
  (...shapes: readonly ReactElement[]): IconComponent =>
  ({ size = 24, ...props }) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...props,
      },
      ...shapes,
    )
