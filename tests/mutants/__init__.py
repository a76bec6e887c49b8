"""Mutation testing of the rules: does a test fail when the code says something else?"""
