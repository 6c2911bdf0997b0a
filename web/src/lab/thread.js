import loadHighs from "highs"; void loadHighs;
